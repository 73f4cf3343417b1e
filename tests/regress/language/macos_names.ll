; Names as compilers for macOS write them: marked as final, with an underscore and a variant.
target datalayout = "e-m:o-i64:64-i128:128-n32:64-S128"
target triple = "x86_64-apple-macosx10.15.0"

@started = global i32 0

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @"\01_pthread_join"(ptr, ptr)
declare i32 @"\01_usleep$NOCANCEL"(i32)
declare i32 @_close(i32)
declare void @reach_error()

define ptr @run(ptr %argument) {
  store i32 1, ptr @started
  ret ptr null
}

define i32 @main() {
  %thread = alloca ptr
  %a = call i32 @pthread_create(ptr %thread, ptr null, ptr @run, ptr null)
  %handle = load ptr, ptr %thread
  %b = call i32 @"\01_pthread_join"(ptr %handle, ptr null)
  %c = call i32 @"\01_usleep$NOCANCEL"(i32 10)
  %d = call i32 @_close(i32 0)
  %value = load i32, ptr @started
  %done = icmp eq i32 %value, 1
  br i1 %done, label %good, label %bad
bad:
  call void @reach_error()
  unreachable
good:
  ret i32 0
}

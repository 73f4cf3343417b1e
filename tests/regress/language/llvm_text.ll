; A program in LLVM's text form that calls reach_error.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@x = global i32 1
declare void @reach_error()
define i32 @main() {
entry:
  %v = load i32, ptr @x
  %c = icmp eq i32 %v, 1
  br i1 %c, label %bad, label %good
bad:
  call void @reach_error()
  br label %good
good:
  ret i32 0
}

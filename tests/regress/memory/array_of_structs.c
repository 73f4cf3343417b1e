// Multi-dimensional arrays and arrays of structs with pointers into them.
#include <assert.h>
struct point {
  short x;
  long y;
} points[3];
int grid[2][3];
int main(void) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      grid[i][j] = 10 * i + j;
  int* flat = &grid[0][0];
  assert(grid[1][2] == 12 && *(*(grid + 1) + 1) == 11 && flat[2] == 2);
  struct point* p = points;
  (p + 2)->y = 7;
  assert(points[2].y == 7 && &points[2] - p == 2);
  return 0;
}

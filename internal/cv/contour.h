#ifndef VISION_CV_CONTOUR_H
#define VISION_CV_CONTOUR_H

#ifdef __cplusplus
extern "C" {
#endif

// What is wanted of a contour: its number of points and the sides of its bounding box.
typedef struct {
    int points_min, points_max; // pixels along it
    int short_min;              // shorter side of its box
    int long_max;               // longer side of its box
} vision_contour_limits;

// Finds the contours (all levels, every pixel) of a mask of rows x cols bytes.
// xy holds x, y of all points of the wanted ones behind one another; lengths how many
// points each has. Returns NULL or a message which the caller frees, as it frees
// *xy and *lengths.
char *vision_contours(const unsigned char *mask, int rows, int cols, vision_contour_limits want,
                      int **xy, int **lengths, int *count);

// Keeps, of a closed polygon of n points x, y, those that describe it to within
// tolerance pixels: they are put to the front and counted.
char *vision_simplify(int *xy, int n, double tolerance, int *kept);

#ifdef __cplusplus
}
#endif
#endif

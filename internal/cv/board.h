#ifndef VISION_CV_BOARD_H
#define VISION_CV_BOARD_H

#ifdef __cplusplus
extern "C" {
#endif

// A ChArUco board: cols × rows squares of unit length with ArUco markers (5×5,
// the first of 100) of the given share of a square in the white ones. Functions
// return NULL or a message which the caller frees, as it frees what they give.

// Draws it in grey, px pixels to a square, with a white margin.
char *vision_board_draw(int cols, int rows, float marker, int px, int margin, int *w, int *h, unsigned char **out);

// Finds its inner corners in a grey picture: numbers and pixels (x, y).
char *vision_board_find(const unsigned char *gray, int w, int h, int cols, int rows, float marker, int *n, int **ids, float **px);

// Finds the cols × rows inner corners of a plain chessboard, all or none.
char *vision_chess_find(const unsigned char *gray, int w, int h, int cols, int rows, int *n, float **px);

// Fits a lens (fx fy cx cy k1 k2 p1 p2 k3) and each view's pose (rotation vector,
// translation) to corners on planes. counts holds each view's corners, at and px
// their places (x, y) one view after the other; dev gets the lens's standard
// deviations.
char *vision_lens_fit(int views, const int *counts, const float *at, const float *px, int w, int h, double *lens, double *dev, double *poses);

#ifdef __cplusplus
}
#endif
#endif

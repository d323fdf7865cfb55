#ifndef VISION_CV_PATCH_H
#define VISION_CV_PATCH_H

#ifdef __cplusplus
extern "C" {
#endif

// Pictures here are BGR, 8 bits, rows in one piece. Functions return NULL or a
// message which the caller frees.

// Cuts n quadrilaterals (four corners x, y each, clockwise) out of a picture, each
// straightened to w x h pixels, and puts them behind one another to out.
char *vision_patches(const unsigned char *px, int rows, int cols, const float *quads, int n, int w, int h, unsigned char *out);

// Scales pictures to half their sides: out has rows/2 x cols/2 pixels.
char *vision_half(const unsigned char *px, int rows, int cols, unsigned char *out);

#ifdef __cplusplus
}
#endif
#endif

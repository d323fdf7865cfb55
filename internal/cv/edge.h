#ifndef VISION_CV_EDGE_H
#define VISION_CV_EDGE_H

#ifdef __cplusplus
extern "C" {
#endif

// Marks the edges of a picture of 8 bits and one or three channels by 255, the rest
// of out by 0: Canny's method with Sobel's 3 x 3 gradients and their sum of amounts,
// in the channel where it is largest. Edges begin above high and go on above low.
// Returns NULL or a message which the caller frees.
char *vision_edges(const unsigned char *px, int rows, int cols, int channels, int low, int high, unsigned char *out);

#ifdef __cplusplus
}
#endif
#endif

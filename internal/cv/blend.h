#ifndef VISION_CV_BLEND_H
#define VISION_CV_BLEND_H

#ifdef __cplusplus
extern "C" {
#endif

// Moves each byte of n BGR pixels a quarter of the way to those now seen, in pieces of
// 16 pixels, where no byte of a piece is further off than near and all its counts are
// full. The ordinals of the other pieces, which are left alone, go to left, the last
// one's pixels may be fewer; how many they are is returned.
int vision_blend(unsigned char *old, const unsigned char *now, const unsigned char *count, int n, int near_, int full, int *left);

// The means of w × h cells of 4 × 4 BGR pixels, in lines of so many bytes, to the nearest
// and of two to the even one; sums has room for 12·w numbers.
void vision_cells(const unsigned char *px, int line, int w, int h, unsigned short *sums, unsigned char *out);

#ifdef __cplusplus
}
#endif
#endif

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

#ifdef __cplusplus
}
#endif
#endif

#ifndef VISION_CV_IMAGE_H
#define VISION_CV_IMAGE_H

#ifdef __cplusplus
extern "C" {
#endif

// Decodes an image file held in memory to BGR, 8 bits a channel. Returns NULL
// or a message which the caller frees, as it frees *out.
char *vision_image_decode(const void *buf, int len, int *rows, int *cols, unsigned char **out);

#ifdef __cplusplus
}
#endif
#endif

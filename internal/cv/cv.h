#ifndef VISION_CV_CV_H
#define VISION_CV_CV_H

#ifdef __cplusplus
extern "C" {
#endif

// Every function that can fail returns NULL on success, else a message which
// the caller frees. No C++ exception leaves this package.
char *vision_set_threads(int n);
void vision_free(void *p);

// OpenCV's version, which stays valid.
const char *vision_opencv(void);

// Drops what C++ code writes to std::cerr.
void vision_mute(int on);

#ifdef __cplusplus
}
#endif
#endif

#ifndef VISION_CV_NET_H
#define VISION_CV_NET_H

#ifdef __cplusplus
extern "C" {
#endif

// Every function that can fail returns NULL on success, else a message which
// the caller frees. No C++ exception leaves this file.
typedef void *vision_net;

// Where chained is not 0, oneDNN runs the network if it is a chain (chain.h) and
// the processor is supported; OpenCV runs all others.
char *vision_net_load(const void *onnx, int len, int chained, vision_net *out);
char *vision_net_forward(vision_net net, const float *in, const int *shape, int dims,
                         float **out, int *out_shape, int *out_dims);
// The same for n pictures of h x w pixels of 8 bits and three channels behind one
// another; to the network they are planes of 0 to 1.
char *vision_net_pictures(vision_net net, const unsigned char *in, int n, int h, int w,
                          float **out, int *out_shape, int *out_dims);
int vision_net_chained(vision_net net); // whether oneDNN runs it
int vision_chains();                    // whether oneDNN supports this processor
void vision_net_close(vision_net net);
char *vision_set_threads(int n);
void vision_free(void *p);

#ifdef __cplusplus
}
#endif
#endif

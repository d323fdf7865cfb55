#ifndef VISION_CV_CHAIN_H
#define VISION_CV_CHAIN_H

#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>

#include <memory>
#include <mutex>
#include <vector>

// A network that is a plain chain of convolutions, ReLU and fully connected layers,
// run by code made for such: OpenCV 4.6 spends most of the time of small ones on
// unfolding their input. Results are those of OpenCV to the rounding of a float.
//
// Pictures are kept in blocks of 16 channels, pixel by pixel, with a border of
// zeros, so that a pixel's 16 outputs are one or a few registers of the processor.
namespace chain {

const int kBlock = 16;
const int kFirst = 4;       // channels of a pixel of the input, three of them used
const int kMostPixels = 28; // that a tile reads at once

// Tap is one place of a kernel: where its channels lie, in floats from the pixel.
struct Tap {
    int at, channels;
};

// Row is one line of an output picture and what it is made of.
struct Row {
    const float *in;  // taps count from here; the next pixel's lie step further
    long step;        // floats
    const Tap *taps;
    int tapCount;
    float *out;       // of the first pixel and block; the next pixel's lie outStep further
    long outStep, outBlock;
    int width;        // pixels
    int blocks;       // of 16 output channels
    const float *weights, *bias;
    bool relu;
};

// Engine makes a row with the instructions of one kind of processor.
struct Engine {
    const char *name;
    void (*row)(const Row &);
    int (*group)(int blocks); // how many of the blocks left are made at once: the order of the weights
};

// engines lists those this processor can run, the quickest first: none without
// AVX2, where OpenCV is as quick.
const std::vector<Engine> &engines();

// Layer is a convolution or, with linear, a fully connected layer of all that
// comes in, with or without ReLU.
struct Layer {
    int in = 0, out = 0; // channels; linear: in counts all values
    int kernel = 1, stride = 1, hole = 1, pad = 0;
    bool linear = false, relu = false;
    cv::Mat weights, biases; // as the ONNX file has them
    std::vector<float> packed, bias;
    int mapIn = 0;           // linear: channels of the picture before it was flattened

    int side(int n) const { return (n + 2 * pad - hole * (kernel - 1) - 1) / stride + 1; }
    int blocks() const { return (out + kBlock - 1) / kBlock; }
    void pack(const Engine &);
};

// Pictures come as planes of floats or, with bytes, as pixels of 8 bits a channel
// that stand for 0 to 1.
struct Pictures {
    const float *planes;
    const unsigned char *bytes;
    int channels;
};

class Chain {
public:
    // of reads a chain out of a network; null where the network is something else.
    static std::unique_ptr<Chain> of(cv::dnn::Net &, const Engine &);

    // run gives the output of n pictures behind one another. It may be called from
    // several threads at once.
    cv::Mat run(const Pictures &in, int n, int h, int w);

private:
    struct Map; // a picture in blocks
    struct Room { std::vector<float> a, b; }; // of a layer's input and its output
    std::vector<Layer> layers_;
    Engine engine_;
    float scale_ = 1, shift_ = 0; // of the input
    std::mutex mu_;
    std::vector<std::unique_ptr<Room>> rooms_; // not in use: the system takes long to give memory anew

    bool read(cv::dnn::Net &);
    std::unique_ptr<Room> take();
    void give(std::unique_ptr<Room>);
    Map input(const Pictures &in, int i, int h, int w, std::vector<float> &room) const;
    Map convolve(const Layer &, const Map &, int pad, std::vector<float> &room, bool split) const;
    cv::Mat connect(size_t first, std::vector<float> &features, long stride, int n, int pixels) const;
};

}  // namespace chain
#endif

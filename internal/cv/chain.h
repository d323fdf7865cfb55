#ifndef VISION_CV_CHAIN_H
#define VISION_CV_CHAIN_H

#include <dnnl.hpp>
#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>

#include <list>
#include <memory>
#include <mutex>
#include <vector>

// A network that is a plain chain of convolutions, ReLU and fully connected layers,
// run by oneDNN: OpenCV 4.6 spends most of the time of small ones on unfolding their
// input. Results are those of OpenCV to the rounding of a float, and the same
// whatever the number of pictures or threads.
namespace chain {

// supported tells whether oneDNN has quick code for this processor: not so without
// AVX2, where OpenCV is left to it.
bool supported();

// Layer is a convolution or, with linear, a fully connected layer of all that
// comes in, with or without ReLU.
struct Layer {
    int in = 0, out = 0; // channels; linear: in counts all values
    int kernel = 1, stride = 1, hole = 1, pad = 0;
    bool linear = false, relu = false;
    cv::Mat weights, biases;          // as the ONNX file has them
    std::vector<dnnl::memory> packed; // weights in the orders that oneDNN asked for so far

    int side(int n) const { return (n + 2 * pad - hole * (kernel - 1) - 1) / stride + 1; }
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
    static std::unique_ptr<Chain> of(cv::dnn::Net &);

    // run gives the output of n pictures behind one another, each on one of OpenCV's
    // threads. It may be called from several threads at once.
    cv::Mat run(const Pictures &in, int n, int h, int w);

private:
    struct Plan; // the steps for pictures of one size
    struct Room { cv::Mat from, to, scratch; }; // memory for a picture on its way
    std::vector<Layer> layers_;
    float scale_ = 1, shift_ = 0; // of the input
    std::mutex mu_;
    std::list<std::shared_ptr<Plan>> plans_;   // the latest used first
    std::vector<std::unique_ptr<Room>> rooms_; // not in use: the system takes long to give memory anew

    bool read(cv::dnn::Net &);
    std::shared_ptr<Plan> plan(int h, int w);
    std::shared_ptr<Plan> make(int h, int w);
    std::unique_ptr<Room> take(const Plan &);
    void give(std::unique_ptr<Room>);
    void input(const Pictures &in, int i, int h, int w, float *to) const;
};

}  // namespace chain
#endif

#include "cv.h"
#include "guard.h"

#include <opencv2/core.hpp>

#include <iostream>

extern "C" {

char *vision_set_threads(int n) {
    return guard([&]() -> char * {
        cv::setNumThreads(n);
        return nullptr;
    });
}

void vision_mute(int on) {
    if (on) std::cerr.setstate(std::ios::failbit);
    else std::cerr.clear();
}

void vision_free(void *p) { free(p); }
}

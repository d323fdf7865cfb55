#include "cv.h"
#include "guard.h"

#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>

#include <iostream>
#include <string>

extern "C" {

char *vision_set_threads(int n) {
    return guard([&]() -> char * {
        cv::setNumThreads(n);
        return nullptr;
    });
}

const char *vision_opencv(void) {
    static const std::string version = cv::getVersionString();
    return version.c_str();
}

void vision_mute(int on) {
    if (on) std::cerr.setstate(std::ios::failbit);
    else std::cerr.clear();
}

void vision_free(void *p) { free(p); }
}

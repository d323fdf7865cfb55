#include "cv.h"
#include "guard.h"

#include <opencv2/core.hpp>

extern "C" {

char *vision_set_threads(int n) {
    return guard([&]() -> char * {
        cv::setNumThreads(n);
        return nullptr;
    });
}

void vision_free(void *p) { free(p); }
}

#ifndef VISION_CV_GUARD_H
#define VISION_CV_GUARD_H

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

// text copies s to memory that C frees.
static inline char *text(const std::string &s) {
    char *p = static_cast<char *>(malloc(s.size() + 1));
    if (p) memcpy(p, s.c_str(), s.size() + 1);
    return p;
}

// guard runs f and turns whatever it throws into a message.
template <class F> static char *guard(F f) {
    try {
        return f();
    } catch (const std::exception &e) {
        return text(e.what());
    } catch (...) {
        return text("unknown C++ exception");
    }
}
#endif

#ifndef B
#define B
int g(bool on);
#endif

#ifndef A
#define A
int f(size_t bytes);
#endif

#include "llvm/ADT/DenseMap.h"
#include "memplan/Support/Ids.h"
#include <sys/mman.h>

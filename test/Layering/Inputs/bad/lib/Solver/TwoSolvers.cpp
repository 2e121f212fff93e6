#include "Highs.h"
#include "coin/CbcModel.hpp"
#include <strange/Header.h>
#include "llvm/ADT/DenseMap.h"

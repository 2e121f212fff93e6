  #  include "Highs.h"
#include "memplan/Graph/KnowsIr.h"

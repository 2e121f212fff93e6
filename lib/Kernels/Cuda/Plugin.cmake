# Sources and settings of libMemplanCuda.so, for the plugin itself and for its tests.
include_guard()

set(MEMPLAN_CUDA_KERNELS
  Activations.cu
  Arithmetic.cu
  Attention.cu
  BatchNorm.cu
  Cast.cu
  Direct.cu
  Embedding.cu
  FlashAttention.cu
  Generator.cu
  Index.cu
  LayerNorm.cu
  Losses.cu
  Map.cu
  Movement.cu
  Pool.cu
  Reduce.cu
  Softmax.cu
  Update.cu)
set(MEMPLAN_CUDA_HOST
  Blas.cpp
  BlasLt.cpp
  ContextBytes.cpp
  CudaBackend.cpp
  Device.cpp
  FusedMatmul.cpp
  Graphs.cpp
  Memory.cpp
  Queues.cpp
  Symbols.cpp
  UpdateQueue.cpp)
list(TRANSFORM MEMPLAN_CUDA_KERNELS PREPEND "${CMAKE_CURRENT_LIST_DIR}/")

set(MEMPLAN_CUDA_DEFINITIONS "MEMPLAN_CUBLAS_FILE=\"libcublas.so.${CUDAToolkit_VERSION_MAJOR}\""
  "MEMPLAN_CUBLASLT_FILE=\"libcublasLt.so.${CUDAToolkit_VERSION_MAJOR}\"")
# Without cuDNN's header convolutions are the plugin's own, which are slow.
find_path(MEMPLAN_CUDNN_INCLUDE cudnn_version.h PATHS ${CUDAToolkit_INCLUDE_DIRS})
if(MEMPLAN_CUDNN_INCLUDE)
  file(STRINGS "${MEMPLAN_CUDNN_INCLUDE}/cudnn_version.h" major REGEX "#define CUDNN_MAJOR ")
  string(REGEX MATCH "[0-9]+" major "${major}")
  list(APPEND MEMPLAN_CUDA_HOST Dnn.cpp DnnEngines.cpp DnnHandle.cpp)
  list(APPEND MEMPLAN_CUDA_DEFINITIONS
    "MEMPLAN_CUDNN_FILE=\"libcudnn.so.${major}\"")
else()
  list(APPEND MEMPLAN_CUDA_HOST NoDnn.cpp)
endif()
# Without NCCL's header the gradients of several GPUs are not added.
find_path(MEMPLAN_NCCL_INCLUDE nccl.h PATHS ${CUDAToolkit_INCLUDE_DIRS})
if(MEMPLAN_NCCL_INCLUDE)
  list(APPEND MEMPLAN_CUDA_HOST Nccl.cpp)
  list(APPEND MEMPLAN_CUDA_DEFINITIONS "MEMPLAN_NCCL_FILE=\"libnccl.so.2\"")
else()
  list(APPEND MEMPLAN_CUDA_HOST NoNccl.cpp)
endif()
list(TRANSFORM MEMPLAN_CUDA_HOST PREPEND "${CMAKE_CURRENT_LIST_DIR}/")

# memplan_cuda_plugin(name [LIBS library...]): a module with the backend's entry. The kernels are in the language that the
# calling folder gives them.
function(memplan_cuda_plugin name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  add_library(${name} MODULE ${MEMPLAN_CUDA_KERNELS} ${MEMPLAN_CUDA_HOST})
  target_link_libraries(${name} PRIVATE MemplanKernels MemplanRanks memplan-flags ${ARG_LIBS})
  target_include_directories(${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS} ${MEMPLAN_CUDNN_INCLUDE} ${MEMPLAN_NCCL_INCLUDE})
  target_compile_definitions(${name} PRIVATE ${MEMPLAN_CUDA_DEFINITIONS})
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON LINKER_LANGUAGE CXX)
endfunction()

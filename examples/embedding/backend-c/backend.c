/* A device of one's own: all that a backend must have, for the steps of
   step.mlir. Memory is the host's here; on another device the four calls that
   copy and fill, and the two kernels, are where that device comes in.

     cc -shared -fPIC -I PREFIX/include backend.c -o backend.so
     memplan-run step.mlir --backend=./backend.so --steps=3 --check */
#include "memplan-c/Backend.h"
#include <stdlib.h>
#include <string.h>

typedef memplan_device_t device_t;
typedef memplan_status_t status_t;

/* Kernels: prepare() has seen that shapes and types are what they rely on. */
static int64_t count(const memplan_tensor_t *tensor) {
  int64_t elements = 1;
  for (int32_t d = 0; d < tensor->rank; ++d)
    elements *= tensor->shape[d];
  return elements;
}
static void relu(const memplan_launch_t *call) {
  const float *x = call->inputs[0].data;
  float *y = call->outputs[0].data;
  for (int64_t i = 0; i < count(call->outputs); ++i)
    y[i] = x[i] > 0 ? x[i] : 0;
}
static void sgd_update(const memplan_launch_t *call) {
  const float *p = call->inputs[0].data, *g = call->inputs[1].data;
  float *updated = call->outputs[0].data, lr = 0;
  for (int32_t a = 0; a < call->attribute_count; ++a)
    if (!strcmp(call->attributes[a].name, "lr"))
      lr = (float)call->attributes[a].float_value;
  for (int64_t i = 0; i < count(call->outputs); ++i)
    updated[i] = p[i] - lr * g[i];
}
typedef struct {
  const char *name;
  void (*run)(const memplan_launch_t *call);
} kernel_t;
static kernel_t kernels[] = {{"memplan.relu", relu},
                             {"memplan.sgd_update", sgd_update}};

static status_t prepare(device_t *d, const memplan_launch_t *call,
                        memplan_prepared_t *prepared) {
  for (int32_t i = 0; i < call->input_count; ++i)
    if (call->inputs[i].dtype != MEMPLAN_F32 ||
        count(&call->inputs[i]) != count(call->outputs))
      return MEMPLAN_UNAVAILABLE;
  for (size_t k = 0; k < sizeof(kernels) / sizeof(*kernels); ++k)
    if (!strcmp(kernels[k].name, call->kernel)) {
      prepared->state = &kernels[k];
      return MEMPLAN_OK;
    }
  return MEMPLAN_UNAVAILABLE;
}
static status_t launch(device_t *d, const memplan_launch_t *call) {
  ((kernel_t *)call->state)->run(call);
  return MEMPLAN_OK;
}
static void release(device_t *d, void *state) {}
static int32_t kernel_count(device_t *d) { return 2; }
static const char *kernel_name(device_t *d, int32_t k) {
  return kernels[k].name;
}

/* The device and its memory. */
static status_t device_count(int32_t *devices) {
  *devices = 1;
  return MEMPLAN_OK;
}
static status_t create(int32_t number, int32_t threads, device_t **d) {
  *d = (device_t *)kernels; /* nothing to remember of it */
  return MEMPLAN_OK;
}
static void destroy(device_t *d) {}
static const char *name(device_t *d) { return "minimal"; }
static const char *last_error(device_t *d) { return "no such kernel"; }
static status_t usable_bytes(device_t *d, int64_t *bytes) {
  *bytes = 0; /* not known */
  return MEMPLAN_OK;
}
static status_t alloc(device_t *d, int64_t bytes, int64_t unit, void **base) {
  *base = aligned_alloc((size_t)unit, (size_t)((bytes / unit + 1) * unit));
  return *base ? MEMPLAN_OK : MEMPLAN_OUT_OF_MEMORY;
}
static status_t free_block(device_t *d, void *base) {
  free(base);
  return MEMPLAN_OK;
}
static status_t copy(device_t *d, void *to, const void *from, int64_t bytes) {
  if (bytes > 0)
    memcpy(to, from, (size_t)bytes);
  return MEMPLAN_OK;
}
static status_t fill(device_t *d, void *to, int32_t byte, int64_t bytes) {
  memset(to, byte, (size_t)bytes);
  return MEMPLAN_OK;
}
static status_t synchronize(device_t *d) { return MEMPLAN_OK; }

/* The one symbol that memplan looks for. */
const memplan_backend_t *memplan_backend_v1(void) {
  static const memplan_backend_t table = {
      .abi_version = 1, /* knows neither strides nor queues */
      .struct_bytes = sizeof(memplan_backend_t),
      .name = "minimal", .version = "1",
      .device_count = device_count, .create = create, .destroy = destroy,
      .last_error = last_error, .device_name = name,
      .usable_bytes = usable_bytes, .alloc = alloc, .free = free_block,
      .copy_in = copy, .copy_out = copy, .copy = copy, .fill = fill,
      .prepare = prepare, .launch = launch, .release = release,
      .synchronize = synchronize, .kernel_count = kernel_count,
      .kernel_name = kernel_name};
  return &table;
}

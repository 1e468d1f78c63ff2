// Nothing to call: what stands in mutex_annotations.c works by being there.

// Nothing to call: what stands in the sources works by being there.

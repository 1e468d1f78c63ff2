// Declares nothing: the definitions in the sources take effect by being linked.

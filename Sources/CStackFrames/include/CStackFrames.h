// Counts the frames of a stack that can be read, which the unwinder of Swift's runtime does not check.
#ifndef CSTACKFRAMES_H
#define CSTACKFRAMES_H

// Returns the number of frames of this thread that can be reached by frame pointers without leaving its stack, this
// function's frame included; at most the limit.
//
// Code that is compiled without frame pointers leaves any number in the register. The chain ends at the first one that
// is not an address above it in the stack.
int CStackFrames_readable(int limit);

#endif

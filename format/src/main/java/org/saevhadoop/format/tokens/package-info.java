/**
 * Per-token integers: token ids, masks, and other integers that a dataset stores for each token in
 * addition to its vectors.
 *
 * <p>Start with {@link org.saevhadoop.format.tokens.TokenArrays}, the arrays of a dataset, and
 * {@link org.saevhadoop.format.tokens.TokenReader}, which reads them. Formats that store arrays
 * copy the per-token integers ({@link org.saevhadoop.format.tokens.TokenCopy}); in all other
 * formats they become sample metadata ({@link org.saevhadoop.format.tokens.TokenSampleMetadata}).
 * {@link org.saevhadoop.format.tokens.PaddingMarks} names the arrays that mark padding.
 *
 * <p>Guarantees: values are int64, whatever type they were stored in. An example that was cut or
 * padded keeps the integers of its remaining tokens; padding has the integer -1. Memory use does
 * not depend on the number of examples.
 */
@NullMarked
package org.saevhadoop.format.tokens;

import org.jspecify.annotations.NullMarked;

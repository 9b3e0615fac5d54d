/**
 * Pseudo-random orders and choices of examples that are computed rather than stored.
 *
 * <p>Start with {@link org.saevhadoop.format.permutation.Permutation}, a bijection of {@code [0,
 * n)}, and {@link org.saevhadoop.format.permutation.ExampleSample}, a stratified choice of
 * examples. Both answer queries about single numbers in constant time and memory, so that each task
 * of a job can compute its own part of the order or choice.
 *
 * <p>Guarantees: results depend only on the arguments, not on the version of Java or the number of
 * tasks. A change in results is a format change, because users identify orders and choices by their
 * seeds. The functions are statistically random, but not cryptographically secure.
 *
 * <p>Sources: J. Black and P. Rogaway, <i>Ciphers with Arbitrary Finite Domains</i>, CT-RSA 2002,
 * for the Feistel network over {@code a * b} and for cycle walking; D. Stafford's variant 13 of the
 * finalizer of MurmurHash3, as in {@code java.util.SplittableRandom}, for the hash.
 */
@Internal
@NullMarked
package org.saevhadoop.format.permutation;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;

/**
 * Property tests: JUnit tests that run many times on generated values.
 *
 * <p>A test method with {@link org.saevhadoop.testing.Property} draws its values from the {@link
 * org.saevhadoop.testing.RandomValues} that it is given. Boundary values are drawn far more often
 * than they would be by chance.
 *
 * <pre>{@code
 * @Property(tries = 300)
 * void namesSortAsTheirUtf8(RandomValues any) {
 *   String a = any.text(0, 12);
 *   String b = any.text(0, 12);
 *   ...
 * }
 * }</pre>
 *
 * <p>Values depend on nothing but the seed, which is fixed: each build runs the same tries. A
 * failure reports the seed and the values of its try, and {@code -Dsaev.seed=N} begins with that
 * try. Any other seed explores other values.
 *
 * <p>In addition, {@link org.saevhadoop.testing.Programs} runs other programs, {@link
 * org.saevhadoop.testing.Python} runs scripts, {@link org.saevhadoop.testing.Allocation} bounds
 * memory, {@link org.saevhadoop.testing.MemoryFolders} creates temporary folders in memory, and
 * {@link org.saevhadoop.testing.Documentation} finds the code in the documentation.
 */
@NullMarked
package org.saevhadoop.testing;

import org.jspecify.annotations.NullMarked;

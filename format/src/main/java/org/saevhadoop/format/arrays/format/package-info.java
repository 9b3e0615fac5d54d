/**
 * Formats of arrays in files that other programs wrote: the format object, which is the same for
 * all kinds of files, and its keys. Each kind of file adds its {@link
 * org.saevhadoop.format.arrays.file.ArrayReader}.
 *
 * <p>{@link org.saevhadoop.format.arrays.format.ArrayFormat} opens any number of files as one
 * dataset, as {@link org.saevhadoop.format.arrays.ArrayOptions} specifies; {@link
 * org.saevhadoop.format.arrays.format.ArrayKeys} defines the options. Only compressed files are
 * copied; tasks read the elements of all other files in place.
 *
 * <p>Guarantees: if names and shapes are ambiguous, the dataset is refused, and the message names
 * the options that resolve the ambiguity. The model, which such files do not name, is recorded as
 * {@code unknown} unless {@code --family} and {@code --ckpt} name it.
 */
@NullMarked
package org.saevhadoop.format.arrays.format;

import org.jspecify.annotations.NullMarked;

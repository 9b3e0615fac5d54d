/**
 * The format of Arrow files: {@link org.saevhadoop.format.arrow.ArrowFormat}. Any number of files
 * are read in place as one dataset of arrays; a row is an example, and lists in a row are tokens
 * and values. Files with compressed record batches are staged ({@code ArrowStream}): their buffers
 * are unpacked, and each file appears under its own name, followed by the content of its buffers
 * ({@code UnpackedBatches}).
 *
 * <p>{@code SavedFolder} reads the document that {@code save_to_disk} of Hugging Face's {@code
 * datasets} writes next to the files: an order of rows or files that differs from the order in the
 * folder is refused.
 *
 * <p>Guarantees: values are read bit for bit. A row is an example unless {@code --tensor} gives it
 * another meaning. The name of the model comes from the SAELens document or is {@code unknown},
 * unless the user names the model.
 */
@Internal
@NullMarked
package org.saevhadoop.format.arrow;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;

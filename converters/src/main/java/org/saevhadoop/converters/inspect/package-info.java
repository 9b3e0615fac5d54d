/**
 * The commands {@code inspect} and {@code list}. The classes to begin with are {@link
 * org.saevhadoop.converters.inspect.InspectCommand}, which reports the properties of a dataset,
 * model or file, and {@link org.saevhadoop.converters.inspect.ListCommand}, which prints a line for
 * each block.
 *
 * <p>The content of a report is defined by the format ({@link
 * org.saevhadoop.format.spi.DatasetFormat#describe}); the classes here print it, as text or as
 * JSON. {@link org.saevhadoop.converters.inspect.TensorReport} prints a list of tensors while it is
 * read, because a file may contain millions of them.
 *
 * <p>Text from a dataset is sanitized before it is printed to a terminal; in JSON it is escaped to
 * ASCII.
 */
@Internal
@NullMarked
package org.saevhadoop.converters.inspect;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;

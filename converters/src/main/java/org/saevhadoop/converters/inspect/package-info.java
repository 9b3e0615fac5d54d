/**
 * The commands {@code inspect} and {@code list}.
 *
 * <p>The content of a report is defined by the format ({@link
 * org.saevhadoop.mapreduce.spi.DatasetFormat#describe} and {@link
 * org.saevhadoop.mapreduce.spi.DatasetFormat#check}); the classes here print it, as text or as
 * JSON. Text from a dataset is sanitized before it is printed to a terminal; in JSON it is escaped
 * to ASCII.
 */
@NullMarked
package org.saevhadoop.converters.inspect;

import org.jspecify.annotations.NullMarked;

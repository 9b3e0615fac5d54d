/**
 * Activation datasets in files of any format. {@link org.saevhadoop.format.Datasets} opens them,
 * and {@link org.saevhadoop.format.DatasetFormats} is the list of formats.
 *
 * <p>Each format has a package of its own, whose class {@code ...Format} implements {@link
 * org.saevhadoop.format.spi.DatasetFormat}; the packages below it contain the parts of that class.
 * {@link org.saevhadoop.format.dataset} is the model that all formats share, and {@link
 * org.saevhadoop.format.io} is the interface to storage.
 *
 * <p>Nothing here depends on Hadoop, except that the index of safetensors files is written by a
 * service of the module {@code mapreduce}, because parquet-java needs Hadoop's classes.
 */
@NullMarked
package org.saevhadoop.format;

import org.jspecify.annotations.NullMarked;

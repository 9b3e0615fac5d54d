/**
 * Activation datasets as input and output of MapReduce jobs, and of other programs that use
 * Hadoop's formats (such as Spark's {@code newAPIHadoopFile}). The input and output formats that
 * users name are in this package.
 *
 * <h2>Reading</h2>
 *
 * <pre>{@code
 * job.setInputFormatClass(SaevInputFormat.class);   // or of another format
 * FileInputFormat.setInputPaths(job, new Path("hdfs:///acts/<hash>"));
 * job.getConfiguration().set("saev.input.record", "block");
 * }</pre>
 *
 * <p>The input path is one dataset. A record's key is its position, and its value contains the
 * values as little-endian float32:
 *
 * <table>
 * <caption>Records</caption>
 * <tr><th>{@code saev.input.record}</th><th>shape of the value</th><th>key</th></tr>
 * <tr><td>{@code example} (default)</td><td>[layer, token, dim]</td><td>example; layer is {@link
 *     org.saevhadoop.mapreduce.io.ActivationKey#ALL}</td></tr>
 * <tr><td>{@code block}</td><td>[token, dim]</td><td>example, layer</td></tr>
 * <tr><td>{@code vector}</td><td>[dim]</td><td>example, layer, token</td></tr>
 * </table>
 *
 * <p>Layers have the same numbers as in the model; token 0 is [CLS] if it was stored. {@link
 * org.saevhadoop.mapreduce.input} describes projections, types, and columns other than activations.
 *
 * <p>The reader returns <b>the same key and value objects</b> for every record, backed by its own
 * buffer. Callers that keep a record must copy it: {@link
 * org.saevhadoop.mapreduce.io.ActivationWritable#copy} or {@link
 * org.saevhadoop.mapreduce.io.ActivationWritable#toFloats}.
 *
 * <p>{@link org.saevhadoop.mapreduce.ActivationPickleInputFormat} reads pickled shards, which can
 * only be read sequentially. {@link org.saevhadoop.mapreduce.staging} copies such a dataset to a
 * folder in which its blocks can be read at any offset, as in any other dataset.
 *
 * <h2>Writing</h2>
 *
 * <pre>{@code
 * job.setOutputFormatClass(SaevOutputFormat.class);   // or of another format
 * SaevOutputFormat.setMetadata(job.getConfiguration(), metadataJson);
 * FileOutputFormat.setOutputPath(job, new Path("hdfs:///acts/" + metadata.hash()));
 * }</pre>
 *
 * <p>The shape of the dataset must be known before the first record. It is defined by metadata.json
 * ({@link org.saevhadoop.mapreduce.SaevOutputFormat#setMetadata}; the value of the key may be the
 * text or its Base64 encoding), or for safetensors and SameDiff by {@link
 * org.saevhadoop.mapreduce.SafetensorsOutputFormat#setGeometry} or, for columns that are not
 * activations, by {@link org.saevhadoop.mapreduce.SafetensorsOutputFormat#setTable}. {@link
 * org.saevhadoop.mapreduce.output} describes the order in which records must be written, labels,
 * and job commit.
 *
 * <h2>Keys</h2>
 *
 * <p>docs/configuration.md lists all keys, and explains how to write text that XML or {@code
 * Configuration} would change. A job with an invalid setting fails before it starts. docs/api.md
 * lists the types that jobs may rely on, and docs/architecture.md describes the packages.
 */
@NullMarked
package org.saevhadoop.mapreduce;

import org.jspecify.annotations.NullMarked;

/**
 * Activation datasets as input and output of MapReduce jobs, and of whatever takes Hadoop's formats
 * (Spark's {@code newAPIHadoopFile}).
 *
 * <h2>Reading</h2>
 *
 * <pre>{@code
 * job.setInputFormatClass(SaevInputFormat.class);   // or SafetensorsInputFormat
 * FileInputFormat.setInputPaths(job, new Path("hdfs:///acts/<hash>"));
 * ConfSettings.set(job.getConfiguration(), InputKeys.RECORD, Selection.Unit.BLOCK);
 * }</pre>
 *
 * <p>The input path is one dataset. A record's key says where it stands, its value holds the
 * values, little-endian float32:
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
 * <p>A layer is the number that the model gives it; a token is the position in the file, where 0 is
 * [CLS] if it was stored, and in the key it is the first token of the record. Examples and tokens
 * keep their stored numbers where a part of the dataset is read; with {@code
 * saev.input.numbering=selection} they count from 0 among those that were selected.
 *
 * <ul>
 *   <li>{@code saev.input.examples}, {@code saev.input.limit}, {@code saev.input.layers} and {@code
 *       saev.input.tokens} select a part of the dataset ({@link org.saevhadoop.format.projection});
 *       what is not selected is not read, but for what is cheaper to read than to skip. Examples
 *       and layers come in the order of their lists.
 *   <li>{@code saev.input.order=layer} gives all examples of a group in one layer, then the next
 *       layer; {@code saev.input.group} is the size of a group, and splits begin at its multiples,
 *       both counted in examples that were selected.
 *   <li>Splits are ranges of examples of about a storage block, counted in bytes that are read,
 *       within {@code mapreduce.input.fileinputformat.split.minsize} and {@code .maxsize}. A split
 *       may join small files and may be a piece of a large one.
 *   <li>Values are float32, also where a safetensors file holds other types that float32 holds
 *       exactly; {@code saev.input.dtype} asks for another type, and counters report what that
 *       changed ({@link org.saevhadoop.mapreduce.input.NumberCounter}).
 *   <li>Columns that are no activations ({@code SafetensorsInputFormat} only) are read with {@code
 *       saev.input.record=block}: the value is what one example has of a column, in the column's
 *       type and shape, and the key's layer is the column's place. Examples can be selected, layers
 *       and tokens cannot. {@code saev.input.tensors} says how to interpret tensors with other
 *       names as activations.
 *   <li>{@link org.saevhadoop.mapreduce.ActivationPickleInputFormat} reads pickled shards, a shard
 *       a split: each array is a record, the key's example is its {@code sample_idx}, the value has
 *       the array's shape. Pickles can only be read from their beginning to their end, so only
 *       layers can be selected. {@link org.saevhadoop.mapreduce.staging} copies such a dataset to
 *       where its blocks can be read at any position, as any other dataset.
 *   <li>The reader hands out <b>the same key and value objects</b> again and again, over its own
 *       buffer. Callers that keep a record must copy it: {@link
 *       org.saevhadoop.mapreduce.io.ActivationWritable#copy} or {@link
 *       org.saevhadoop.mapreduce.io.ActivationWritable#toFloats}.
 * </ul>
 *
 * <h2>Writing</h2>
 *
 * <pre>{@code
 * job.setOutputFormatClass(SaevOutputFormat.class);   // or SafetensorsOutputFormat
 * SaevOutputFormat.setMetadata(job.getConfiguration(), metadataJson);
 * FileOutputFormat.setOutputPath(job, new Path("hdfs:///acts/" + metadata.hash()));
 * }</pre>
 *
 * <p>The shape of the dataset is known before the first record: from the metadata.json ({@link
 * org.saevhadoop.mapreduce.SaevOutputFormat#setMetadata}; the key itself takes the text or its
 * Base64), or for safetensors from {@link
 * org.saevhadoop.mapreduce.SafetensorsOutputFormat#setGeometry} or, for columns that are no
 * activations, {@link org.saevhadoop.mapreduce.SafetensorsOutputFormat#setTable}. Records are
 * blocks or whole examples (layer {@code ALL}), with all tokens; vectors are not written. The
 * rules:
 *
 * <ul>
 *   <li>A task writes whole files: partition by {@code example / examplesPerShard()} of {@link
 *       org.saevhadoop.mapreduce.output.ActivationOutputFormat#write}.
 *   <li>It writes one file after another and does not come back to one.
 *   <li>Within a file, blocks come in the file's order: by example for SAEV and for the column
 *       {@code acts}, by layer for {@code layers}. {@code saev.output.spool=true} takes any order
 *       and puts it right on the local disk; {@code auto}, the default, does so where whole
 *       examples go to a file that is laid out by layer; {@code false} never.
 *   <li>A block that is missing, comes twice, has another size or does not belong there fails the
 *       task.
 * </ul>
 *
 * <p>Records carry no labels. Where a dataset has some for the examples that are written, {@link
 * org.saevhadoop.mapreduce.output.ActivationOutputFormat#setLabels} names it, and they are copied
 * from there: into the tensor {@code labels} of each safetensors file when the task ends it, into
 * labels.bin when the job commits.
 *
 * <h2>Commit</h2>
 *
 * <p>{@link org.saevhadoop.mapreduce.output.DatasetCommitter} wraps the storage's own committer,
 * Hadoop's with algorithm 1 by default. When the job commits it checks that every file is there in
 * its length, and writes the documents: labels.bin, shards.json and then metadata.json, or
 * dataset_manifest.json. With {@code saev.output.publish} the output directory is then renamed to
 * that path, and deleted if the job fails. Without it, files appear in the output directory while
 * the job commits, the document that makes them a dataset last.
 *
 * <h2>Keys</h2>
 *
 * <p>The keys of any input are in {@link org.saevhadoop.mapreduce.job.InputKeys}, those of any
 * output in {@link org.saevhadoop.mapreduce.job.OutputKeys}, those of a format in its own package,
 * such as {@link org.saevhadoop.mapreduce.safetensors.SafetensorsKeys}; docs/configuration.md lists
 * all of them. {@link org.saevhadoop.mapreduce.conf.ConfSettings} sets them so that any text
 * survives the way to a task; a value that is none of a key's values fails the job before it
 * starts.
 *
 * <h2>Formats</h2>
 *
 * <p>{@link org.saevhadoop.mapreduce.DatasetFormats} is the list of formats. All else here knows a
 * format only as a {@link org.saevhadoop.mapreduce.spi.DatasetFormat}.
 */
package org.saevhadoop.mapreduce;

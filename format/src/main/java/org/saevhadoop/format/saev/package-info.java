/**
 * SAEV shards, the format of the {@code saev} project: a directory, named by the hash of its
 * metadata, with {@code metadata.json}, {@code shards.json} (from protocol 1.0.0 on) and raw files
 * {@code acts000000.bin}, {@code acts000001.bin}, ... of shape {@code [S, layer, token, dim]} in
 * little-endian float32.
 *
 * <p>Start at {@link org.saevhadoop.format.saev.metadata.SaevMetadata}, from which everything
 * follows: the generation of the protocol, the shape, S and the hash. {@link
 * org.saevhadoop.format.saev.SaevDataset} reads a directory and reports its faults; {@link
 * org.saevhadoop.format.saev.SaevWritePlan} says what files to write. The documents are JSON as
 * Python writes it, hashed byte for byte: {@link org.saevhadoop.format.json.PythonJson}.
 *
 * <p>{@link org.saevhadoop.format.saev.SaevCheck} reports everything that is wrong with a
 * directory; {@link org.saevhadoop.format.saev.metadata.SaevSelection} is what the metadata of a
 * selection records.
 *
 * <p>{@code docs/saev.md} has the rules and the source of each.
 */
package org.saevhadoop.format.saev;

/**
 * The command {@code digest}. The class to begin with is {@link
 * org.saevhadoop.converters.digest.DigestCommand}; {@link
 * org.saevhadoop.converters.digest.DigestJob} is the job that it runs.
 *
 * <p>The digest identifies the values of a dataset regardless of its format: it is the SHA-256
 * (FIPS 180-4) of the concatenated SHA-256 digests of all blocks, sorted by example and then by
 * ascending layer. The digest of a selection equals the digest of a dataset that contains only the
 * selected values. A conversion of a part of a source that has no hash records the digest of the
 * whole source.
 *
 * <p>{@link org.saevhadoop.converters.digest.FileSumsJob} computes the SHA-256 of each file. A
 * {@link org.saevhadoop.converters.digest.SumsFile} holds these sums and the digest in the format
 * of GNU coreutils; {@link org.saevhadoop.converters.digest.SumsTarget} writes it, and {@link
 * org.saevhadoop.converters.digest.DigestExpectation} compares it with a dataset.
 *
 * <p>The result of the job is a temporary file in the folder for temporary files, which is deleted
 * when the digest has been read. The job fails if a block is missing or is read twice.
 */
package org.saevhadoop.converters.digest;

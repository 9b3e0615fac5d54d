/**
 * Digests of datasets and sums of files.
 *
 * <p>{@link org.saevhadoop.jobs.digest.Digest} is the verb: a job whose maps digest blocks, and
 * whose reducer digests these digests in the order of examples and layers. The job fails if a block
 * is missing or is read twice. The algorithm is SHA-256 (FIPS 180-4).
 *
 * <p>{@link org.saevhadoop.jobs.digest.FileSums} computes the SHA-256 of each file, with {@code
 * HashedFiles} in threads of this process and in Hadoop tasks. A {@link
 * org.saevhadoop.jobs.digest.SumsFile} holds these sums and the digest; {@link
 * org.saevhadoop.jobs.digest.SumsTarget} writes it, and {@link
 * org.saevhadoop.jobs.digest.DigestExpectation} compares it with a dataset.
 */
@NullMarked
package org.saevhadoop.jobs.digest;

import org.jspecify.annotations.NullMarked;

/**
 * Normalization of vectors by the statistics of their layers. {@link
 * org.saevhadoop.format.normalize.Normalization} describes the normalization that a conversion
 * applies: a statistics file, identified by its SHA-256, and a {@link
 * org.saevhadoop.format.normalize.NormalizeBy}. {@link
 * org.saevhadoop.format.normalize.StatisticsFile} reads the file, which has one of two forms:
 *
 * <ul>
 *   <li>The tensor file that {@code stats --to-safetensors} writes, read by the code for its
 *       format.
 *   <li>{@code statistics.json} of activault (pipeline/vault/hook_uploader.py, {@code save_stats},
 *       and pipeline/generate.py, commit bd97d2f), an object with {@code mean}, {@code std}, {@code
 *       norm} and {@code M2} of one hook, without its number. Only the mean is used: {@code norm}
 *       is the mean of the norms, which does not determine mean |x|², and {@code M2} is updated
 *       from the means of batches only, so that {@code std} lacks the variance within batches.
 * </ul>
 *
 * <p>A value x of dimension d becomes (x - mean[d]) * scale, in F64, and is then rounded once to
 * the type that is written: numpy computes the same bits from {@code x.astype("f8")}. Without
 * centering, the mean is 0; without scaling, the scale is 1; neither changes a value. The scale is
 * saev's sqrt(dim / mean |x|²) of the vectors, or of the differences after the mean is subtracted.
 * All vectors are normalized, including [CLS] and padding, whether or not the statistics include
 * them.
 *
 * <p>The provenance of the result has a document {@code saev.normalization}, the JSON object {@code
 * {"by", "sha256"}}, so that a second normalization is refused unless the user asks for it. The new
 * record then contains the earlier one in {@code before}.
 */
@Internal
@NullMarked
package org.saevhadoop.format.normalize;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;

/**
 * Activations from named arrays in files that other programs wrote. {@link
 * org.saevhadoop.format.arrays.ArrayDataset} presents any number of such files as one dataset,
 * according to {@link org.saevhadoop.format.arrays.ArrayOptions}. An {@link
 * org.saevhadoop.format.arrays.ArraySurvey} records the findings from the headers of all files, so
 * that a task reads only the headers of its own files.
 *
 * <p>Guarantees: opening reads headers, documents and masks, but no other elements. If names and
 * shapes are ambiguous, the dataset is refused, and the message names the options that resolve the
 * ambiguity.
 *
 * <p>Sources: {@code blocks.<l>.} names a layer in TransformerLens, and {@code layers.<l>.} names a
 * layer in transformers; the name {@code token_ids} is used in files of vLLM's
 * ExampleHiddenStatesConnector, {@code input_ids} in files of SpecForge and activault, and {@code
 * tokens} in files of Llamascopium.
 */
@NullMarked
package org.saevhadoop.format.arrays;

import org.jspecify.annotations.NullMarked;

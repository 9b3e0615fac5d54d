/**
 * Arrays under names in files that other programs wrote, as activations. {@link
 * org.saevhadoop.format.arrays.ArrayDataset} is any number of such files as one dataset, as {@link
 * org.saevhadoop.format.arrays.ArrayOptions} describe it. An {@link
 * org.saevhadoop.format.arrays.ArraySurvey} records what the headers of all files have shown, so
 * that a task reads only the headers of its own files.
 *
 * <p>Guarantees: opening reads headers, documents and masks, no other elements. If names and shapes
 * are ambiguous, the dataset is refused with the options that decide.
 *
 * <p>Sources: {@code blocks.<l>.} is the name of a layer in TransformerLens, {@code layers.<l>.} in
 * transformers; {@code token_ids} is the name in files of vLLM's ExampleHiddenStatesConnector,
 * {@code input_ids} in files of SpecForge and activault, {@code tokens} in files of Llamascopium.
 */
@NullMarked
package org.saevhadoop.format.arrays;

import org.jspecify.annotations.NullMarked;

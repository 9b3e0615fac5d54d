/**
 * Arrays under names in files that other programs wrote, as activations. {@link
 * org.saevhadoop.format.arrays.ArrayDataset} is any number of such files as one dataset, as {@link
 * org.saevhadoop.format.arrays.ArrayOptions} describe it. An {@link
 * org.saevhadoop.format.arrays.ArraySurvey} is what the headers of all files have shown: with it, a
 * task reads those of its own files only.
 *
 * <p>Guarantees: opening reads headers, documents and masks, no other elements. What names and
 * shapes leave open is refused with the options that decide it.
 *
 * <p>Sources: {@code blocks.<l>.} is the name of a layer in TransformerLens, {@code layers.<l>.} in
 * transformers; {@code token_ids} is the name in files of vLLM's ExampleHiddenStatesConnector,
 * {@code input_ids} in those of SpecForge and activault, {@code tokens} in those of Llamascopium.
 */
@NullMarked
package org.saevhadoop.format.arrays;

import org.jspecify.annotations.NullMarked;

/**
 * The safetensors file format for named tensors, and datasets and models in that format. {@link
 * org.saevhadoop.format.safetensors.SafetensorsFormat} is the format object. A location is a
 * dataset (a folder with or without dataset_manifest.json, or one file) or a model (a folder with a
 * model index, or the index itself). Models can be inspected, and their tensors can be read one by
 * one, but models cannot be converted.
 *
 * <ul>
 *   <li>{@link org.saevhadoop.format.safetensors.header}: files. Start with {@link
 *       org.saevhadoop.format.safetensors.header.SafetensorsHeader}. The documentation of that
 *       package lists the rules of the format.
 *   <li>{@link org.saevhadoop.format.safetensors.index}: lookup of tensors in many files. Start
 *       with {@link org.saevhadoop.format.safetensors.index.KeyedTensors} for datasets in the
 *       key-value layout and {@link org.saevhadoop.format.safetensors.index.ModelIndex} for models.
 *   <li>{@link org.saevhadoop.format.safetensors.dataset}: examples in the layouts of
 *       safetensors-spark. Start with {@link
 *       org.saevhadoop.format.safetensors.dataset.SafetensorsTable}.
 * </ul>
 *
 * <p>In all of these packages, "specification" refers to the section "Format" of the README of <a
 * href="https://github.com/huggingface/safetensors">huggingface/safetensors</a>, and "reference" to
 * the Rust library there (0.8), which is authoritative where the text is silent or differs.
 */
@Internal
@NullMarked
package org.saevhadoop.format.safetensors;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;

/**
 * safetensors files as a dataset format. The class to begin with is {@link
 * org.saevhadoop.mapreduce.safetensors.SafetensorsFormat}.
 *
 * <p>This package maps the format to settings, provenance and reports; headers, layouts and indexes
 * are read and written by {@code org.saevhadoop.format.safetensors}. A location is a dataset (a
 * folder with or without dataset_manifest.json, or one file) or a model (a folder with a model
 * index, or the index). Models can be inspected and single tensors of them read, but they cannot be
 * converted.
 *
 * <p>docs/safetensors.md has the rules of the format and their sources.
 */
@NullMarked
package org.saevhadoop.mapreduce.safetensors;

import org.jspecify.annotations.NullMarked;

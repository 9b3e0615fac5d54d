/**
 * safetensors files as one of the formats: {@link
 * org.saevhadoop.mapreduce.safetensors.SafetensorsFormat} and its keys. What the bytes mean is in
 * {@code org.saevhadoop.format.safetensors}.
 */
package org.saevhadoop.mapreduce.safetensors;

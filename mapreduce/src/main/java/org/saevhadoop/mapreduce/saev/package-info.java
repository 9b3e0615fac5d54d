/**
 * SAEV shards as one of the formats: {@link org.saevhadoop.mapreduce.saev.SaevFormat} and its keys.
 * What the bytes mean is in {@code org.saevhadoop.format.saev}.
 */
package org.saevhadoop.mapreduce.saev;

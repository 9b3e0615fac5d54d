/**
 * What a tensor's elements are, {@link org.saevhadoop.format.tensor.DType}, and how they become
 * others, {@link org.saevhadoop.format.tensor.Conversion}.
 */
package org.saevhadoop.format.tensor;

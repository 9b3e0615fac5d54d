/**
 * What a tensor's elements are, {@link org.saevhadoop.format.tensor.DType}, and how they become
 * others, {@link org.saevhadoop.format.tensor.DTypeConversion}; and the text of a number as Python
 * writes it.
 */
package org.saevhadoop.format.tensor;

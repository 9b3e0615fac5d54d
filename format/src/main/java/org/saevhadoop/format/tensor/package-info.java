/** What a tensor's elements are: {@link org.saevhadoop.format.tensor.DType}. */
package org.saevhadoop.format.tensor;
